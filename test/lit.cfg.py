# Configuration of lit. Tests call programs by name: this build's programs come first in PATH, then LLVM's
# FileCheck and not.
import os
import shutil

import lit.formats

config.name = "clmali"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".lit"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.clmali_build, "test")

config.environment["PATH"] = os.pathsep.join(
    [config.clmali_programs, config.llvm_tools, os.environ.get("PATH", "")])
for name in ("HOME", "OCL_ICD_VENDORS", "POCL_CACHE_DIR", "XDG_CACHE_HOME"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
config.environment["NO_COLOR"] = "1"

config.substitutions.append(("%{source}", config.clmali_source))
config.substitutions.append(("%{build}", config.clmali_build))
config.substitutions.append(("%{python}", shutil.which("python3") or "python3"))
