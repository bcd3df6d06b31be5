"""Lint and rewrite as actions of Bazel, so that its cache and its remote execution do the distributing.

This file lies at the root of the portable archive, beside BUILD.bazel: the archive is a Bazel repository.
"""

_KERNELS = ["cl", "clh", "ocl", "opencl"]
_HOSTS = ["c", "cc", "cpp", "cxx"]

def _setting_impl(ctx):
    return [SettingInfo(value = ctx.build_setting_value)]

SettingInfo = provider("A text given on the command line.", fields = ["value"])

setting = rule(
    implementation = _setting_impl,
    build_setting = config.string(flag = True),
    doc = "--@clmali//:device=mali-bifrost and the like.",
)

_PROGRAM = {
    "_files": attr.label(default = "//:files"),
    "_device": attr.label(default = "//:device", providers = [SettingInfo]),
}

def _files_of(rule, names, extensions):
    found = []
    for name in names:
        for target in getattr(rule.files, name, []):
            if target.extension in extensions:
                found.append(target)
    return found

def _lint_impl(target, ctx):
    kernels = _files_of(ctx.rule, ["srcs", "hdrs", "textual_hdrs", "data"], _KERNELS)
    hosts = _files_of(ctx.rule, ["srcs"], _HOSTS) if CcInfo in target else []
    if not kernels and not hosts:
        return []
    report = ctx.actions.declare_file(ctx.label.name + ".clmali.sarif")
    inputs = [depset(kernels + hosts), ctx.attr._files.files]
    arguments = ctx.actions.args()

    # Bazel keeps results itself.
    arguments.add("--no-cache")
    arguments.add("--format=sarif")
    arguments.add(report, format = "--output=%s")
    arguments.add(ctx.attr._fail_on[SettingInfo].value, format = "--fail-on=%s")
    if ctx.attr._device[SettingInfo].value:
        arguments.add(ctx.attr._device[SettingInfo].value, format = "--device=%s")
    arguments.add_all(kernels + hosts)
    if CcInfo in target:
        context = target[CcInfo].compilation_context
        inputs.append(context.headers)
        arguments.add("--")
        arguments.add_all(context.defines, format_each = "-D%s")
        arguments.add_all(context.local_defines, format_each = "-D%s")
        arguments.add_all(context.includes, format_each = "-I%s")
        arguments.add_all(context.quote_includes, before_each = "-iquote")
        arguments.add_all(context.system_includes, before_each = "-isystem")
    ctx.actions.run(
        executable = ctx.file._lint,
        arguments = [arguments],
        inputs = depset(transitive = inputs),
        outputs = [report],
        mnemonic = "ClmaliLint",
        progress_message = "Linting the OpenCL code of %s" % ctx.label,
    )
    return [OutputGroupInfo(clmali = depset([report]))]

lint = aspect(
    implementation = _lint_impl,
    attr_aspects = ["deps"],
    attrs = dict(
        _PROGRAM,
        _lint = attr.label(default = "//:bin/clmali-lint", allow_single_file = True),
        _fail_on = attr.label(default = "//:fail_on", providers = [SettingInfo]),
    ),
    doc = """Lints the kernels among srcs, hdrs, textual_hdrs and data, and the C and C++ of srcs with its flags:

    bazel build --aspects=@clmali//:clmali.bzl%lint --output_groups=clmali //...

Each target's report is TARGET.clmali.sarif.""",
)

def _rewrite_impl(ctx):
    stem = ctx.label.name
    kernel = ctx.actions.declare_file(stem + ".cl")
    manifest = ctx.actions.declare_file(stem + ".manifest.json")
    verdict = ctx.actions.declare_file(stem + ".verdict.json")
    arguments = ctx.actions.args()
    device = ctx.attr.device or ctx.attr._device[SettingInfo].value
    if device:
        arguments.add(device, format = "--device=%s")
    arguments.add_all(ctx.files.launch, format_each = "--launch=%s")
    arguments.add_all(ctx.attr.options)
    arguments.add_all(["-o", kernel])
    arguments.add(manifest, format = "--manifest=%s")
    arguments.add(ctx.file.src)
    if ctx.attr.defines:
        arguments.add("--")
        arguments.add_all(ctx.attr.defines, format_each = "-D%s")
    ctx.actions.run(
        executable = ctx.file._rewrite,
        arguments = [arguments],
        inputs = depset([ctx.file.src] + ctx.files.launch + ctx.files.hdrs, transitive = [ctx.attr._files.files]),
        outputs = [kernel, manifest, verdict],
        mnemonic = "ClmaliRewrite",
        progress_message = "Rewriting %s, verified" % ctx.file.src.short_path,
        use_default_shell_env = True,  # PATH: the judge's clang-19
    )
    return [DefaultInfo(files = depset([kernel, manifest, verdict]))]

clmali_rewrite = rule(
    implementation = _rewrite_impl,
    attrs = dict(
        _PROGRAM,
        src = attr.label(allow_single_file = _KERNELS, mandatory = True),
        hdrs = attr.label_list(allow_files = True, doc = "What src includes."),
        launch = attr.label_list(allow_files = [".yaml"], doc = "Launch files; default, derived from the kernel."),
        device = attr.string(doc = "As --device; default, that of --@clmali//:device, else the device at hand."),
        defines = attr.string_list(doc = "NAME or NAME=VALUE."),
        options = attr.string_list(doc = "Other options of clmali-rewrite."),
        _rewrite = attr.label(default = "//:bin/clmali-rewrite", allow_single_file = True),
    ),
    doc = """NAME.cl, NAME.manifest.json and NAME.verdict.json. The build fails if no rewrite is held by the judge, which
needs an OpenCL device where the action runs.""",
)
