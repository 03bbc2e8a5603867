"""A small study, as the tests of the command line use it."""

SPEC = """
use "lib/panas"  use "lib/appraisal"
emotion pride "Pride" { factor craft "Craft" { "The shelf that you built holds."  "Your bread has risen." } }
model robot { provider simulated  name "a robot"  effect { PANAS.positive 1 } }
study pride "Pride" {
  protocol appraisal  scales PANAS  stimuli pride  panels robot
  seed 1  orders 2
  contrast shift = evoked - default { test welch }
}
"""
