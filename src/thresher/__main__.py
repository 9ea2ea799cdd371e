# SPDX-License-Identifier: Apache-2.0
"""`python -m thresher`: the command `thresher`."""

from thresher.commands.main import main

if __name__ == "__main__":
    main(prog_name="python -m thresher")
