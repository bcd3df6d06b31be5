"""Molecular dynamics of argon with OpenMM's OpenCL platform: a few steps, single precision."""
import numpy as np
try:
    import openmm
    from openmm import unit
except ImportError:  # versions before 7.6
    import simtk.openmm as openmm
    from simtk import unit

SIDE, COUNT, SPACING = 6, 216, 0.36
system = openmm.System()
system.setDefaultPeriodicBoxVectors(*(np.eye(3) * SIDE * SPACING))
force = openmm.NonbondedForce()
force.setNonbondedMethod(openmm.NonbondedForce.CutoffPeriodic)
force.setCutoffDistance(0.9)
for _ in range(COUNT):
    system.addParticle(39.9)
    force.addParticle(0.0, 0.3405, 0.996)
system.addForce(force)
places = [[x * SPACING, y * SPACING, z * SPACING + 0.01 * ((x + y) % 3)] for x in range(SIDE) for y in range(SIDE) for z in range(SIDE)]
platform = openmm.Platform.getPlatformByName("OpenCL")
context = openmm.Context(system, openmm.VerletIntegrator(0.002), platform, {"Precision": "single"})
context.setPositions(places)
context.getIntegrator().step(20)
energy = context.getState(getEnergy=True).getPotentialEnergy().value_in_unit(unit.kilojoules_per_mole)
print("energy %.2f" % energy)
