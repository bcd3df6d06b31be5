// Opens a kernel in VS Code as a user would, without any setting: findings and colours, the page of a rule on hover, a
// quick fix, a rewrite: browser.js CODE-SERVER FOLDER [SCREENSHOT.png]. In FOLDER the extension is installed.
"use strict";
const assert = require("assert");
const { spawn } = require("child_process");
const fs = require("fs");
const net = require("net");
const path = require("path");
const puppeteer = require("puppeteer-core");

const KERNEL = `__kernel void blend(__global const float *a, __global float *bias, __global float *out,
                    int width, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  float t = a[i] * 0.25f + bias[i];
  out[i] = t < 0.0f ? 0.0f : (t > 1.0f ? 1.0f : t);
  if (i / width == 0)
    out[i] = 0.0f;
}
`;
const SIZE = { width: 1240, height: 560 };
const PATIENCE = { timeout: 120000 };
const [entry, folder, picture] = process.argv.slice(2);

const freePort = () => new Promise((resolve) => {
  const server = net.createServer().listen(0, "127.0.0.1", () => {
    const { port } = server.address();
    server.close(() => resolve(port));
  });
});

async function main() {
  const project = path.join(folder, "project");
  fs.mkdirSync(project);
  fs.writeFileSync(path.join(project, "blend.cl"), KERNEL);
  fs.mkdirSync(path.join(folder, "data", "User"), { recursive: true });
  // Only about VS Code itself: no welcome page, no minimap, for the picture.
  fs.writeFileSync(path.join(folder, "data", "User", "settings.json"), JSON.stringify({
    "workbench.startupEditor": "none", "editor.minimap.enabled": false, "window.commandCenter": false,
    "security.workspace.trust.enabled": false, "telemetry.telemetryLevel": "off", "breadcrumbs.enabled": false }));
  const port = await freePort();
  const server = spawn("node", [entry, "--auth", "none", "--bind-addr", `127.0.0.1:${port}`, "--disable-telemetry",
    "--disable-update-check", "--disable-workspace-trust", "--disable-getting-started-override",
    "--extensions-dir", path.join(folder, "extensions"), "--user-data-dir", path.join(folder, "data")],
  { stdio: ["ignore", "pipe", "pipe"] });
  let log = "";
  for (const stream of [server.stdout, server.stderr]) stream.on("data", (text) => { log += text; });
  const browser = await puppeteer.launch({
    executablePath: process.env.CHROMIUM || "/usr/bin/chromium", headless: true, defaultViewport: SIZE,
    args: ["--no-sandbox", "--disable-gpu"] });
  try {
    for (let tries = 0; !/HTTP server listening/.test(log) && tries < 300; ++tries)
      await new Promise((resolve) => setTimeout(resolve, 200));
    await check(await browser.newPage(), `http://127.0.0.1:${port}/?folder=${encodeURIComponent(project)}`);
  } catch (problem) {
    console.error(log);
    throw problem;
  } finally {
    await browser.close();
    server.kill();
  }
  console.log("browser: as it should be");
}

async function check(page, address) {
  await page.goto(address, { waitUntil: "load", ...PATIENCE });
  await page.waitForSelector(".monaco-workbench", PATIENCE);
  const item = await page.waitForSelector('.explorer-folders-view [aria-label^="blend.cl"]', PATIENCE);
  await item.click({ clickCount: 2 });

  // Findings, and the language.
  await page.waitForSelector(".squiggly-warning", PATIENCE);
  await page.waitForSelector(".squiggly-info", PATIENCE);
  assert.match(await page.$eval(".statusbar", (bar) => bar.innerText), /OpenCL C/);
  const colour = (word) => page.evaluate((text) => {
    const span = [...document.querySelectorAll(".view-line span span")].find((s) => s.textContent.includes(text));
    return span && getComputedStyle(span).color;
  }, word);
  const plain = await colour("width");
  for (const word of ["__kernel", "get_global_id", "float"])
    assert.notStrictEqual(await colour(word), plain, word);

  // The middle of a word in the editor, at its first or last place.
  const place = (word, last = false) => page.evaluate((wanted, fromEnd) => {
    const lines = [...document.querySelectorAll(".view-line")]
      .sort((a, b) => a.getBoundingClientRect().y - b.getBoundingClientRect().y);
    for (const line of fromEnd ? lines.reverse() : lines) {
      const walk = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
      for (let node; (node = walk.nextNode());) {
        const at = node.textContent.replace(/\u00a0/g, " ").indexOf(wanted);
        if (at < 0) continue;
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + wanted.length);
        const box = range.getBoundingClientRect();
        return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
      }
    }
    return null;
  }, word, last);
  const text = () => page.$$eval(".view-line", (lines) => lines
    .sort((a, b) => a.getBoundingClientRect().y - b.getBoundingClientRect().y)
    .map((line) => line.innerText.replace(/\u00a0/g, " ")).join("\n"));
  const click = async (word) => {
    const at = await place(word);
    assert(at, `'${word}' is not in the editor:\n${await text()}`);
    await page.mouse.click(at.x, at.y);
    return at;
  };
  // Opens the menu of code actions at the cursor, until it has an entry.
  const action = async (pattern) => {
    const seen = new Set();
    for (let tries = 0; tries < 20; ++tries) {
      await page.keyboard.down("Control");
      await page.keyboard.press(".");
      await page.keyboard.up("Control");
      await new Promise((resolve) => setTimeout(resolve, 1500));
      for (const row of await page.$$(".action-widget .monaco-list-row")) {
        const label = await row.evaluate((r) => r.innerText);
        seen.add(label);
        if (pattern.test(label)) {
          await row.click();
          return label;
        }
      }
      await page.keyboard.press("Escape");
    }
    throw new Error(`no code action ${pattern}, but ${[...seen].join(", ")}`);
  };

  // On hover the page of the rule. VS Code drops a hover if it is busy with new findings, so the mouse comes again.
  const at = await place("width", true);
  const shows = () => page.evaluate(() => [...document.querySelectorAll(".monaco-hover")]
    .some((hover) => /Why it costs/.test(hover.innerText)));
  for (let tries = 0; tries < 20 && !(await shows()); ++tries) {
    await page.mouse.move(at.x - 90, at.y + 120);
    await page.mouse.move(at.x, at.y, { steps: 5 });
    await new Promise((resolve) => setTimeout(resolve, 2500));
  }
  assert(await shows(), "no page of a rule on hover");
  if (process.argv[4]) await page.screenshot({ path: process.argv[4] });
  await page.keyboard.press("Escape");
  await page.mouse.move(5, 5);

  // A quick fix: a pointer that is only read from.
  await click("bias");
  await action(/const/);
  await page.waitForFunction(() => /float\s+const\s+\*\s*bias/.test(document.querySelector(".view-lines").innerText), PATIENCE);

  // A rewrite, verified on the OpenCL device of this machine; it arrives as an edit.
  await click("blend");
  await action(/Rewrite 'blend' for Mali Bifrost.*verified/);
  await page.waitForFunction(() => /rewritten\sfrom\sblend/.test(document.querySelector(".view-lines").innerText), PATIENCE);
}

main().catch((problem) => { console.error(problem); process.exit(1); });
