"""The VS Code extension with its language server, as a .vsix file: a .zip with a manifest in XML. Its only dependency,
vscode-languageclient, is bundled by esbuild; both come from npm."""
import json
import shutil
import subprocess
import zipfile
from pathlib import Path
from xml.sax.saxutils import quoteattr

import npm

HERE = Path(__file__).resolve().parents[1] / "editors/vscode"

MANIFEST = """<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id={name} Version={version} Publisher={publisher} TargetPlatform={platform}/>
    <DisplayName>{displayName}</DisplayName>
    <Description xml:space="preserve">{description}</Description>
    <Tags>{tags}</Tags>
    <Categories>{categories}</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value={engine}/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
    </Properties>
    <License>extension/LICENSE.txt</License>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Changelog" Path="extension/CHANGELOG.md" Addressable="true"/>
  </Assets>
</PackageManifest>
"""

TYPES = {"json": "application/json", "js": "application/javascript", "md": "text/markdown", "txt": "text/plain",
         "vsixmanifest": "text/xml"}


def bundle(work):
    """extension.js with its dependency in one file."""
    if not shutil.which("npm"):
        raise SystemExit("package: vscode needs npm")
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(HERE, work, ignore=shutil.ignore_patterns("node_modules", "dist"))
    for command in (["npm", "ci", "--no-audit", "--no-fund"], ["npm", "run", "bundle"]):
        done = subprocess.run(command, cwd=work, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            raise SystemExit("package: %s\n%s" % (" ".join(command), done.stdout))
    code = (work / "dist/extension.js").read_bytes()
    licences = [(p.parent.name, p.read_text()) for p in sorted((work / "node_modules").glob("vscode-*/License.txt"))]
    return code, licences


def make(tree, version, output):
    cpu = npm.CPUS[npm.architecture(tree)]
    about = json.loads((HERE / "package.json").read_text())
    for key in ("scripts", "devDependencies", "private"):
        del about[key]
    about["version"] = version
    work = output / "vscode"
    code, licences = bundle(work)
    shutil.rmtree(work)
    files = [("extension/package.json", (json.dumps(about, indent=2) + "\n").encode(), False),
             ("extension/dist/extension.js", code, False),
             ("extension/LICENSE.txt", (tree / "share/doc/clmali/copyright").read_bytes(), False),
             ("extension/CHANGELOG.md", (tree / "share/doc/clmali/CHANGELOG.md").read_bytes(), False)]
    files += [("extension/licences/%s.txt" % name, text.encode(), False) for name, text in licences]
    for name in ("README.md", "language-configuration.json", "syntaxes/opencl.tmLanguage.json"):
        files.append(("extension/" + name, (HERE / name).read_bytes(), False))
    # The server, the program that rewrites, and what they read.
    files += [("extension/server/" + name, content, executable) for name, content, executable in npm.wanted(tree)
              if name.startswith(("bin/", "lib/clmali/", "share/doc/clmali/licences/", "share/clmali/"))]
    manifest = MANIFEST.format(
        name=quoteattr(about["name"]), version=quoteattr(version), publisher=quoteattr(about["publisher"]),
        platform=quoteattr("linux-" + cpu), displayName=about["displayName"], description=about["description"],
        tags=",".join(about["keywords"]), categories=",".join(about["categories"]),
        engine=quoteattr(about["engines"]["vscode"]))
    types = "".join('<Default Extension=".%s" ContentType="%s"/>' % item for item in TYPES.items())
    files = [("extension.vsixmanifest", manifest.encode(), False),
             ("[Content_Types].xml", ('<?xml version="1.0" encoding="utf-8"?>\n<Types xmlns="http://schemas.openxml'
                                      'formats.org/package/2006/content-types">%s</Types>\n' % types).encode(), False),
             *files]
    path = output / ("clmali-%s-linux-%s.vsix" % (version, cpu))
    npm.write_zip(path, files)
    return [path]
