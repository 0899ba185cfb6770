"""Types of arrays by their elements; a comment beside a field says what each of its dimensions counts.

visits: Int32s  # [node]
value_sum: Floats  # [node, seat]
"""

import numpy as np
from numpy.typing import NDArray

Int8s = NDArray[np.int8]
Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]
UInt64s = NDArray[np.uint64]
Float32s = NDArray[np.float32]
Floats = NDArray[np.float64]
