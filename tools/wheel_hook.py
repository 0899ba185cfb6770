"""How a wheel is built: with machine code for one Python and one platform if KIBITZ_MACHINE_CODE names a folder of it.

`make wheels` sets the variable. Without it the wheel is pure, and everything is compiled on the user's machine.
"""

import os
import sys
import sysconfig
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PLATFORMS = {"linux-x86_64": "manylinux_2_28_x86_64", "linux-aarch64": "manylinux_2_28_aarch64"}  # as numba's wheels


class WheelHook(BuildHookInterface[Any]):
    """Adds machine code to a wheel, and says in its tag for which Python and platform it is."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the machine code, if there is any."""
        folder = os.environ.get("KIBITZ_MACHINE_CODE")
        if self.target_name != "wheel" or version == "editable" or not folder:
            return
        here = sysconfig.get_platform()
        platform = PLATFORMS.get(here, here.replace("-", "_").replace(".", "_"))
        build_data["force_include"][folder] = "kibitz/machine_code"
        build_data["pure_python"] = False
        build_data["tag"] = f"cp{sys.version_info.major}{sys.version_info.minor}-none-{platform}"
