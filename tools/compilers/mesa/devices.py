"""The devices that Mesa compiles for, and the names that --device accepts."""

import collections

# name:       as on the command line
# family:     a family of rules/devices.yaml
# generation: selects the compiler and the form of its report
# identity:   Mali: product id of the GPU. PowerVR: branch, version, number of scalable pipelines,
#             configuration of the core (BVNC).
# threads:    work-items that one core holds at full occupancy; 0: not known
# registers:  registers of a work-item that the compiler can use
Device = collections.namedtuple("Device", "name family generation identity threads registers")


def _mali(model, family, generation, product, threads):
    registers = 16 if generation == "midgard" else 64
    return Device("mali-" + model, family, generation, product, threads, registers)


def _powervr(model, bvnc, registers=248):
    return Device("powervr-" + model, "powervr-rogue", "rogue", bvnc, 0, registers)


DEVICES = {device.name: device for device in (
    _mali("t604", "mali-midgard", "midgard", 0x600, 256),
    _mali("t628", "mali-midgard", "midgard", 0x620, 256),
    _mali("t720", "mali-midgard", "midgard", 0x720, 256),
    _mali("t760", "mali-midgard", "midgard", 0x750, 256),
    _mali("t820", "mali-midgard", "midgard", 0x820, 256),
    _mali("t830", "mali-midgard", "midgard", 0x830, 256),
    _mali("t860", "mali-midgard", "midgard", 0x860, 256),
    _mali("t880", "mali-midgard", "midgard", 0x880, 256),
    _mali("g71", "mali-bifrost", "bifrost", 0x6000, 384),
    _mali("g72", "mali-bifrost", "bifrost", 0x6221, 384),
    _mali("g51", "mali-bifrost", "bifrost", 0x7090, 768),
    _mali("g31", "mali-bifrost", "bifrost", 0x7093, 768),
    _mali("g76", "mali-bifrost", "bifrost", 0x7211, 768),
    _mali("g52", "mali-bifrost", "bifrost", 0x7212, 768),
    _mali("g57", "mali-valhall", "valhall", 0x9093, 1024),
    _mali("g310", "mali-valhall", "valhall", 0xAC74, 2048),
    _mali("g610", "mali-valhall", "valhall", 0xA867, 2048),
    _mali("g720", "mali-valhall", "valhall", 0xC870, 2048),
    _mali("g725", "mali-valhall", "valhall", 0xD830, 2048),
    _powervr("gx6250", "4.40.2.51"),
    _powervr("gx6650", "4.46.6.62"),
    _powervr("g6110", "5.9.1.46"),
    _powervr("ge7800", "15.5.1.64"),
    _powervr("ge8300", "22.68.54.30"),
    _powervr("axe-1-16m", "33.15.11.3", registers=128),
    _powervr("bxe-2-32", "36.29.52.182"),
    _powervr("bxe-4-32", "36.50.54.182"),
    _powervr("bxm-4-64", "36.52.104.182"),
    _powervr("bxs-4-64", "36.53.104.796"),
)}

# The model that stands for a family, and for a group of families.
FAMILIES = {
    "mali-midgard": ["mali-t860"],
    "mali-bifrost": ["mali-g52"],
    "mali-valhall": ["mali-g610"],
    "powervr-rogue": ["powervr-bxs-4-64"],
    "mali": ["mali-t860", "mali-g52", "mali-g610"],
    "all": ["mali-t860", "mali-g52", "mali-g610", "powervr-bxs-4-64"],
}
FAMILIES.update(midgard=FAMILIES["mali-midgard"], bifrost=FAMILIES["mali-bifrost"],
                valhall=FAMILIES["mali-valhall"], powervr=FAMILIES["powervr-rogue"],
                rogue=FAMILIES["powervr-rogue"])

# Models of rules/devices.yaml that Mesa does not know: the model of the same generation that is
# compiled for instead. The figures name it.
SUBSTITUTES = {
    "mali-t622": "mali-t628", "mali-t624": "mali-t628", "mali-t678": "mali-t628",
    "mali-g68": "mali-g57", "mali-g77": "mali-g57", "mali-g78": "mali-g57",
    "mali-g510": "mali-g310", "mali-g710": "mali-g610", "mali-g615": "mali-g720",
    "mali-g715": "mali-g720", "mali-g925": "mali-g725",
    "powervr-g6200": "powervr-gx6250", "powervr-g6230": "powervr-gx6250",
    "powervr-g6400": "powervr-gx6650", "powervr-g6430": "powervr-gx6650",
    "powervr-gx6450": "powervr-gx6650", "powervr-ge8320": "powervr-ge8300",
    "powervr-gm9446": "powervr-bxm-4-64", "powervr-gt7600": "powervr-gx6650",
    "powervr-ge9215": "powervr-ge8300", "powervr-bxm-8-256": "powervr-bxm-4-64",
    "powervr-bxt-16-512": "powervr-bxs-4-64", "mali-g78ae": "mali-g57",
}


def resolve(names):
    """The devices of a comma-separated list, as pairs (name to report, Device).

    Raises ValueError with the names that are not known.
    """
    found, wrong = [], []
    for name in (part.strip().lower() for part in names.split(",") if part.strip()):
        if name in FAMILIES:
            found += [(model, DEVICES[model]) for model in FAMILIES[name]]
        elif name in DEVICES:
            found.append((name, DEVICES[name]))
        elif name in SUBSTITUTES:
            found.append((name, DEVICES[SUBSTITUTES[name]]))
        else:
            wrong.append(name)
    if wrong or not found:
        raise ValueError("no compiler for the device '%s'; known are %s" % (
            "', '".join(wrong), ", ".join(sorted(FAMILIES) + list(DEVICES))))
    return list(dict.fromkeys(found))
