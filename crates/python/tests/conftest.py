"""What all tests share."""

import signal

# A shell that runs the tests in the background has them ignore SIGINT, and Python then does not turn it into KeyboardInterrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)
