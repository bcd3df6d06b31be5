#!/usr/bin/env python3
"""Generates manual pages and shell completions from the option tables of the programs.

  generate.py --out DIR PROGRAM...     man1/, man5/, bash/, zsh/, fish/ below DIR
  generate.py --readme FILE [--check] CLMALI-LINT
                                       the table of .clmali.yaml in a page

The table comes from --print-options if the program has it, else from --help, whose lines have the form
"  --name=ARGUMENT   text". This script contains no text about single options."""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys

FILES = re.compile(r"FILE|\.cl$|\.json|\.html|\.yaml|\.sarif|PATH")


def ask(program, *options):
    return subprocess.run([program, *options], capture_output=True, text=True, check=True).stdout


def from_help(program):
    name = os.path.basename(program)
    text = ask(program, "--help")
    # Lines of 80 columns: the summary and the exit codes may go on in the next ones.
    text = re.sub(r"\n(?!usage:)", " ", text.split("\n\n", 1)[0]) + "\n\n" + text.split("\n\n", 1)[1]
    before, codes_at, after = text.rpartition("exit codes:")
    text = before + codes_at + after.replace("\n", " ")
    options, codes = [], []
    usage, summary = "", ""
    description = []
    for line in text.split("\n"):
        option = re.match(r"  (--?[A-Za-z][\w-]*)(?:[= ]([A-Z][^\s]*))?(?:(?: {2,}| )(\S.*))?$", line)
        if line.startswith("usage: "):
            usage = re.sub(r"^\S+ (\[options\] )?", "", line[7:])
        elif line.lower().startswith("exit codes:"):
            for code, meaning in re.findall(r"(\d) ([^,;]+(?:,(?! ?\d)[^,;]*)*)", line[11:]):
                # The text after the list may mention codes again.
                if not codes or int(code) > codes[-1][0]:
                    codes.append((int(code), meaning.strip(" ;,.")))
        elif option:
            options.append({"name": option[1], "argument": option[2] or "", "help": option[3] or "", "values": ""})
        elif line.startswith("    ") and options:
            options[-1]["help"] = (options[-1]["help"] + " " + line.strip()).strip()
        elif line.startswith(name + ": "):
            summary = line[len(name) + 2:]
        elif line.strip():
            description.append(line.strip())
    if not options or not usage:
        sys.exit("%s: its --help is not in the form that pages are made from" % name)
    if not summary:
        summary = " ".join(description).split(". ")[0].rstrip(".")
    version = ask(program, "--version").split() if "--version" in text else ["", ""]
    return {"name": name, "summary": summary, "usage": usage, "description": " ".join(description),
            "options": options, "exitCodes": [{"code": c, "meaning": m} for c, m in codes],
            "version": version[1] if len(version) > 1 else ""}


def table(program):
    done = subprocess.run([program, "--print-options"], capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode == 0 else from_help(program)


def values(option, program):
    """The completions of an option's value: (kind, words)."""
    said = option["values"]
    if said == "@device" or (not said and option["name"] == "--device"):
        return "words", program.get("devices", [])
    if said == "@rule":
        return "words", program.get("rules", [])
    if said == "@folder":
        return "folder", []
    if said == "@file" or (not said and FILES.search(option["argument"])):
        return "file", []
    return ("words", said.split()) if said else ("any" if option["argument"] else "flag", [])


def roff(text):
    return text.replace("\\", "\\e").replace("-", "\\-").replace("\n.", "\n\\&.")


def written(option):
    if not option["argument"]:
        return "\\fB%s\\fR" % roff(option["name"])
    joint = "=" if option["name"].startswith("--") else " "
    return "\\fB%s\\fR%s\\fI%s\\fR" % (roff(option["name"]), joint, roff(option["argument"]))


def man(program, names):
    lines = ['.TH %s 1 "" "clmali %s" "clmali"' % (program["name"].upper(), program["version"]),
             ".SH NAME", "%s \\- %s" % (roff(program["name"]), roff(program["summary"])),
             ".SH SYNOPSIS", "\\fB%s\\fR [\\fIoptions\\fR] %s" % (roff(program["name"]), roff(program["usage"]))]
    if program["description"]:
        lines += [".SH DESCRIPTION", roff(program["description"])]
    lines.append(".SH OPTIONS")
    for option in program["options"]:
        lines += [".TP", written(option), roff(option["help"])]
    if program["exitCodes"]:
        lines.append(".SH EXIT STATUS")
        for code in program["exitCodes"]:
            lines += [".TP", str(code["code"]), roff(code["meaning"])]
    if "configuration" in program:
        lines += [".SH FILES", ".TP", ".I .clmali.yaml",
                  "settings of a folder and all below it; see clmali.yaml(5)", ".TP",
                  ".I $XDG_CACHE_HOME/clmali", "results of earlier runs; may be removed at any time",
                  ".SH ENVIRONMENT", ".TP", ".B NO_COLOR", "no colours, on terminals either"]
    others = ["%s(1)" % roff(n) for n in names if n != program["name"]] + ["clmali.yaml(5)"]
    lines += [".SH SEE ALSO", ", ".join(others)]
    return "\n".join(lines) + "\n"


def man_configuration(program):
    lines = ['.TH CLMALI.YAML 5 "" "clmali %s" "clmali"' % program["version"], ".SH NAME",
             "\\&.clmali.yaml \\- settings of clmali for a folder and all below it", ".SH DESCRIPTION",
             "For each file the nearest .clmali.yaml in its folder or above holds, alone. It is a YAML map of the "
             "keys below; a key that is not known is an error. What the command line sets wins over it. Paths "
             "and globs are relative to its folder; in globs",
             ".B *", "is any text,", ".B ?",
             "a character; a glob without a slash may match the name of the file or of any folder on the way."]
    lines.append(".SH KEYS")
    for key in program["configuration"]:
        lines += [".TP", "\\fB%s\\fR: \\fI%s\\fR" % (roff(key["name"]), roff(key["value"])),
                  roff(key["meaning"][0].upper() + key["meaning"][1:] + "."), ".br",
                  "\\fB%s: %s\\fR" % (roff(key["name"]), roff(key["example"]))]
    lines += [".SH SEE ALSO", "clmali\\-lint(1), clmali\\-rewrite(1)"]
    return "\n".join(lines) + "\n"


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def bash(program):
    function = "_" + program["name"].replace("-", "_")
    cases = []
    names = []
    for option in program["options"]:
        kind, words = values(option, program)
        long = option["name"].startswith("--")
        names.append(option["name"] + ("=" if long and kind != "flag" else ""))
        if kind == "words":
            cases.append("    %s) COMPREPLY=($(compgen -W %s -- \"$cur\")); return ;;" %
                         (option["name"], quoted(" ".join(words))))
        elif kind == "folder":
            cases.append("    %s) COMPREPLY=($(compgen -d -- \"$cur\")); return ;;" % option["name"])
        elif kind == "file":
            cases.append("    %s) COMPREPLY=($(compgen -f -- \"$cur\")); return ;;" % option["name"])
        elif kind == "any":
            cases.append("    %s) return ;;" % option["name"])
    return """# bash completion of %(name)s
%(function)s() {
  local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}"
  # bash splits at "=".
  if [ "$cur" = "=" ]; then cur=; elif [ "$prev" = "=" ] && [ "$COMP_CWORD" -ge 2 ]; then
    prev="${COMP_WORDS[COMP_CWORD-2]}"
  fi
  case "$prev" in
%(cases)s
  esac
  if [[ "$cur" == -* ]]; then
    COMPREPLY=($(compgen -W %(names)s -- "$cur"))
    [[ "${COMPREPLY[0]-}" == *= ]] && compopt -o nospace
  else
    COMPREPLY=($(compgen -f -- "$cur"))
  fi
}
complete -o filenames -F %(function)s %(name)s
""" % {"name": program["name"], "function": function, "cases": "\n".join(cases), "names": quoted(" ".join(names))}


def zsh(program):
    lines = ["#compdef " + program["name"], "_arguments -s \\"]
    for option in program["options"]:
        kind, words = values(option, program)
        text = option["help"].split(";")[0].replace("[", "(").replace("]", ")").replace(":", " -")
        spec = option["name"]
        if kind != "flag":
            spec += "=" if option["name"].startswith("--") else "+"
        spec += "[%s]" % text
        if kind != "flag":
            action = {"words": "(%s)" % " ".join(words), "file": "_files", "folder": "_files -/", "any": " "}[kind]
            spec += ":%s:%s" % (option["argument"].replace(":", ""), action)
        lines.append("  %s \\" % quoted(spec))
    lines.append("  '*:file:_files'")
    return "\n".join(lines) + "\n"


def fish(program):
    lines = []
    for option in program["options"]:
        kind, words = values(option, program)
        long = option["name"].startswith("--")
        line = "complete -c %s %s %s" % (program["name"], "-l" if long else "-s", option["name"].lstrip("-"))
        if kind == "words":
            line += " -x -a %s" % quoted(" ".join(words))
        elif kind == "folder":
            line += " -x -a '(__fish_complete_directories)'"
        elif kind != "flag":
            line += " -r" if kind == "file" else " -x"
        lines.append(line + " -d " + "'" + option["help"].split(";")[0].replace("\\", "\\\\").replace("'", "\\'") + "'")
    return "\n".join(lines) + "\n"


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def readme(path, program, check):
    rows = ["| key | value | meaning | example |", "|---|---|---|---|"]
    for key in program["configuration"]:
        rows.append("| `%s` | %s | %s | `%s` |" % (key["name"], key["value"], key["meaning"], key["example"]))
    text = path.read_text()
    before, rest = text.split("<!-- configuration -->\n")
    new = before + "<!-- configuration -->\n" + "\n".join(rows) + "\n<!-- /configuration -->" + \
        rest.split("<!-- /configuration -->")[1]
    if check:
        if new != text:
            print("the table of .clmali.yaml in %s is out of date; run tools/docs/generate.py --readme" % path.name)
        return int(new != text)
    path.write_text(new)
    return 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--readme", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("programs", nargs="+")
    arguments = parser.parse_args()
    programs = [table(p) for p in arguments.programs]
    if arguments.readme:
        return readme(arguments.readme, programs[0], arguments.check)
    # Devices and version come from the linter for all programs.
    first = next(p for p in programs if "configuration" in p)
    for program in programs:
        program.setdefault("devices", first["devices"])
        program["version"] = program.get("version") or first["version"]
    names = [p["name"] for p in programs]
    for program in programs:
        name = program["name"]
        write(arguments.out / "man1" / (name + ".1"), man(program, names))
        write(arguments.out / "bash" / name, bash(program))
        write(arguments.out / "zsh" / ("_" + name), zsh(program))
        write(arguments.out / "fish" / (name + ".fish"), fish(program))
    write(arguments.out / "man5" / "clmali.yaml.5", man_configuration(first))
    return 0


if __name__ == "__main__":
    sys.exit(main())
