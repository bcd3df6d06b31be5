#!/usr/bin/env python3
"""Tests of the report page that clmali-rewrite and clmali-lint write.

  report.py page       the contents of a page; it loads nothing from outside
  report.py host-code  the C and the C++ of the page, pasted into a host, compiled and run on PoCL
  report.py looks      screenshots in a headless browser, wide and narrow, light and dark: nothing overflows the
                       page, and the colours follow the reader's setting. The pictures are kept in --work.
                       Exit 77 (skipped) if there is no browser.
"""
import argparse
import html
import os
import re
import shutil
import subprocess
import sys
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
INPUTS = os.path.join(HERE, "Inputs")
FAILURES = []


def expect(condition, message):
    if not condition:
        FAILURES.append(message)


def rewrite(args, name, *options):
    """The page and the standard output for Inputs/NAME.cl."""
    page = os.path.join(args.work, name + ".html")
    done = subprocess.run([args.rewrite, *options, "--report=" + page, os.path.join(INPUTS, name + ".cl")],
                          capture_output=True, text=True)
    if not os.path.exists(page):
        sys.exit(f"no page for {name}: exit {done.returncode}\n{done.stderr}")
    with open(page, encoding="utf-8") as file:
        return page, file.read(), done


def folded(text, summary):
    """The text in the <pre> of a folded part, as a reader would copy it."""
    match = re.search(r"<summary>" + re.escape(summary) + r"</summary>\s*<pre[^>]*>(.*?)</pre>", text, re.S)
    if not match:
        sys.exit(f"the page has no part '{summary}'")
    return html.unescape(match.group(1))


def alone(name, text):
    expect(not re.search(r"<script|<link|<iframe|<img|@import|url\(|\bon\w+=", text), f"{name}: something from elsewhere, or a script")
    expect(not re.search(r"(src|href)\s*=\s*[\"']?\w+:", text), f"{name}: it links away")
    expect("prefers-color-scheme: dark" in text and 'name="viewport"' in text, f"{name}: no dark colours or no viewport")
    opened = re.findall(r"<(section|details|div|table|pre|figure|ul|ol|h2|h3)\b", text)
    closed = re.findall(r"</(section|details|div|table|pre|figure|ul|ol|h2|h3)>", text)
    expect(sorted(opened) == sorted(closed), f"{name}: elements are not closed")


def test_page(args):
    page, text, done = rewrite(args, "axpy", "--device=mali-midgard", "-o", os.path.join(args.work, "axpy.out.cl"))
    expect(done.returncode == 0, f"axpy: exit {done.returncode}: {done.stderr}")
    alone("axpy", text)
    for part in ("What the cost model predicts", "Arithmetic", "Load/store", "Before, with what was found", "After", "How the host runs it",
                 "C for the host", "C++ for the host", "The manifest (JSON)", "The judge&#39;s record", "oclgrind", "Held",
                 "not judged: a better one holds",
                 "scalar-global-access", "vload4", "The whole change"):
        expect(part in text or html.unescape(part) in text, f"axpy: '{part}' is not on the page")
    widths = [float(w) for w in re.findall(r'style="width:([\d.]+)%', text)]
    expect(widths and max(widths) == 100 and len(set(widths)) > 2, f"axpy: bars {widths}")
    expect(re.search(r"A [\d.]+, L/S [\d.]+ -> A [\d.]+, L/S [\d.]+", done.stderr), "axpy: no costs in words: " + done.stderr)
    # A figure that is zero before and after has no bar; fixes stand at their findings; a line that wraps stays indented.
    expect("Texture" not in text and '"width:0.0%"' not in text, "axpy: a bar with nothing to draw")
    expect(text.count("Registers:") == 1, "axpy: %d figures for registers" % text.count("Registers:"))
    expect("fix (verify): clmali-rewrite --passes=vectorize" in text, "axpy: no fix at the findings")
    expect(re.search(r'<span style="--in:[4-9]ch">', text) and "turns" not in text, "axpy: lines are not indented")
    # The functions that the kernel calls are part of what was rewritten.
    with open(os.path.join(args.work, "helper.cl"), "w") as file:
        file.write("float twice(float x) { return x + x; }\nfloat other(float x) { return x; }\n"
                   "__kernel void twices(__global const float *in, __global float *out, int n) {\n"
                   "  int i = get_global_id(0);\n  if (i < n)\n    out[i] = twice(in[i]);\n}\n")
    helper = os.path.join(args.work, "helper.html")
    subprocess.run([args.rewrite, "--no-verify", "--device=mali-midgard", "--report=" + helper,
                    os.path.join(args.work, "helper.cl")], capture_output=True, text=True)
    with open(helper, encoding="utf-8") as file:
        text = file.read()
    calls = text.split("A function that it calls")
    expect(len(calls) == 2 and "twice" in calls[1].split("</figure>")[0] and "other" not in calls[1].split("</figure>")[0],
           "helper: the function that the kernel calls is not on the page")
    # A kernel that is not rewritten also has a page, without the column for the rewritten kernel.
    with open(os.path.join(args.work, "smooth.cl"), "w", encoding="latin-1") as file:
        file.write("__kernel void smooth(__global float *p, int n) {\n  int i = get_global_id(0);\n"
                   "  if (i > 0 && i < n - 1)\n    p[i] = (p[i - 1] + p[i + 1]) * 0.5f; // <b> & \"quotes\" \xe9\n}\n")
    other = os.path.join(args.work, "smooth.html")
    done = subprocess.run([args.rewrite, "--no-verify", "--report=" + other, os.path.join(args.work, "smooth.cl")],
                          capture_output=True, text=True)
    with open(other, encoding="utf-8") as file:
        text = file.read()
    alone("smooth", text)
    expect(done.returncode == 1, f"smooth: exit {done.returncode}")
    expect("racy-original" in text and ">After<" not in text, "smooth: the refusal is not on the page")
    expect("&lt;b&gt; &amp;" in text, "smooth: source is not escaped")


def test_host_code(args):
    for name in ("axpy", "rows", "groups"):
        page, text, done = rewrite(args, name, "--no-verify")
        expect(done.returncode == 4 and done.stdout, f"{name}: exit {done.returncode}: {done.stderr}")
        rewritten = os.path.join(args.work, name + ".rewritten.cl")
        with open(rewritten, "w", encoding="utf-8") as file:
            file.write(done.stdout)
        for language, compiler, extra, suffix in (("C", args.cc, ["-std=c99"], "c"),
                                                  ("C++", args.cxx, ["-std=c++14", "-x", "c++", "-DHOST_CPP"], "cpp")):
            folder = os.path.join(args.work, name + "." + suffix)
            os.makedirs(folder, exist_ok=True)
            code = folded(text, language + " for the host")
            with open(os.path.join(folder, "pasted.h"), "w", encoding="utf-8") as file:
                file.write(code)
            # The integer parameters of enqueue after the sizes.
            declared = re.search(r"const size_t \*local([^)]*?),\s*cl_uint num_waits" if language == "C"
                                 else r"const cl::NDRange &local([^)]*?),\s*const std::vector", code, re.S).group(1)
            names = re.findall(r"cl_long (\w+)", declared)
            given = {"n": "a", "width": "a", "height": "b"}
            unknown = [x for x in names if x not in given]
            if unknown:
                sys.exit(f"{name}: the host test knows no argument {unknown}")
            program = os.path.join(folder, "host")
            defines = [f"-DTEST_{name}", f"-DKERNELS={name}_kernels", f"-DCREATE={name}_create", f"-DRELEASE={name}_release",
                       f"-DSET_ARG={name}_set_arg", f"-DENQUEUE={name}_enqueue",
                       "-DENQUEUE_ARGS=" + "".join(", " + given[x] for x in names)]
            built = subprocess.run([compiler, *extra, "-Wall", "-Wextra", "-Werror", "-Wno-deprecated-declarations", *defines,
                                    "-I", folder, os.path.join(HERE, "host.c"), "-o", program, "-lOpenCL"],
                                   capture_output=True, text=True)
            if built.returncode:
                FAILURES.append(f"{name}, {language}: does not compile\n{built.stderr[:3000]}")
                continue
            ran = subprocess.run([program, rewritten], capture_output=True, text=True, timeout=120)
            expect(ran.returncode == 0 and ran.stdout == "same\n", f"{name}, {language}: {ran.stdout}{ran.stderr}")
            print(f"{name}, {language}: {ran.stdout.strip()}")


def first_pixel(path):
    """Red, green and blue of the upper left corner of a PNG of 8-bit RGB or RGBA."""
    with open(path, "rb") as file:
        data = file.read()
    at, body, kind = 8, b"", 0
    while at < len(data):
        size, tag = int.from_bytes(data[at:at + 4], "big"), data[at + 4:at + 8]
        if tag == b"IHDR":
            kind = data[at + 17]
        if tag == b"IDAT":
            body += data[at + 8:at + 8 + size]
        at += 12 + size
    assert kind in (2, 6)
    return tuple(zlib.decompressobj().decompress(body, 64)[1:4])  # PNG filters do not change the first pixel


def test_looks(args):
    if not args.browser or args.browser.endswith("-NOTFOUND") or not shutil.which(args.browser):
        print("skipped: no browser (Debian: chromium); the page was not looked at")
        sys.exit(77)
    page, text, done = rewrite(args, "rows", "--no-verify", "--device=mali-midgard")
    lint = os.path.join(args.work, "lint.html")
    subprocess.run([args.lint, "--device=mali", "--cost=model", "--report=" + lint, INPUTS], capture_output=True)
    base = [args.browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
            "--user-data-dir=" + os.path.join(args.work, "browser"), "--virtual-time-budget=1000"]
    for name, path in (("rewrite", page), ("lint", lint)):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        # A browser window cannot be as narrow as a phone, but a frame can. The page itself is not changed.
        measure = text.replace("</body>", "<script>document.title = 'measured ' + document.documentElement.scrollWidth + ' ' + "
                                          "document.documentElement.clientWidth;parent.postMessage(document.title, '*')</script></body>")
        measured = os.path.join(args.work, name + ".measured.html")
        with open(measured, "w", encoding="utf-8") as file:
            file.write(measure)
        for width in (1280, 390):
            for scheme, setting in (("light", 1), ("dark", 0)):
                frame = os.path.join(args.work, f"{name}.{width}.frame.html")
                with open(frame, "w", encoding="utf-8") as file:
                    file.write(f"<html><body style='margin:0'><iframe src='{os.path.basename(measured)}' style='border:0;width:{width}px;"
                               f"height:3000px'></iframe><script>onmessage = e => document.title = e.data</script></body></html>")
                options = base + [f"--blink-settings=preferredColorScheme={setting}", f"--window-size={max(width, 500)},3000"]
                picture = os.path.join(args.work, f"{name}.{width}.{scheme}.png")
                shot = subprocess.run(options + ["--screenshot=" + picture, "file://" + frame], capture_output=True, text=True, timeout=120)
                expect(os.path.exists(picture), f"{name} {width} {scheme}: no picture: {shot.stderr[-500:]}")
                if not os.path.exists(picture):
                    continue
                light = sum(first_pixel(picture)) / 3
                expect(light > 200 if scheme == "light" else light < 80, f"{name} {width} {scheme}: the corner's brightness is {light}")
            dom = subprocess.run(options + ["--dump-dom", "file://" + frame], capture_output=True, text=True, timeout=120).stdout
            size = re.search(r"<title>measured (\d+) (\d+)</title>", dom)
            expect(size, f"{name} {width}: could not be measured")
            if size:
                expect(int(size.group(1)) <= int(size.group(2)), f"{name} {width}: {size.group(1)} pixels in {size.group(2)}")
                expect(int(size.group(2)) == width, f"{name}: the frame is {size.group(2)} wide, not {width}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=["page", "host-code", "looks"])
    for name in ("rewrite", "lint", "cc", "cxx", "work"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--browser", default="")
    args = parser.parse_args()
    args.work = os.path.join(args.work, args.part)
    os.makedirs(args.work, exist_ok=True)
    {"page": test_page, "host-code": test_host_code, "looks": test_looks}[args.part](args)
    for failure in FAILURES:
        print("FAILED:", failure)
    sys.exit(1 if FAILURES else 0)


if __name__ == "__main__":
    main()
