from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import unittest

from server import Server


class ReadmeTest(unittest.TestCase):
    def test_the_blocks_are_one_program_that_runs(self) -> None:
        with open(os.path.join(os.path.dirname(__file__), "..", "README.md")) as file:
            blocks = re.findall(r"^```python\n(.*?)^```", file.read(), re.M | re.S)
        self.assertGreater(len(blocks), 5)
        with Server() as server, tempfile.TemporaryDirectory() as directory:
            program = os.path.join(directory, "program.py")
            with open(program, "w") as file:
                file.write("\n".join(blocks).replace("http://127.0.0.1:8420", server.url) + "\nmemory.close()\n")
            ran = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=120)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        for said in ("Bergen", "REJECTED", "COMPLETE", "INVALID_REQUEST topK", ": My dog is called Biscuit."):
            self.assertIn(said, ran.stdout)


if __name__ == "__main__":
    unittest.main()
