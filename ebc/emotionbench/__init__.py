"""An upstream checkout of EmotionBench as specs: its questionnaires, situations, and mappings of its answers.

Only specs are written here. The answers are read by the mappings in them, like anyone's.
"""

from ebc.emotionbench.write import write_specs

__all__ = ["write_specs"]
