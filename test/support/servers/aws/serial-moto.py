"""moto's server, answering one call after the other: its S3 looks for an object and puts it in two steps, between which
another thread's object of the same path would be replaced."""

import sys

from moto import server

run_threaded = server.run_simple
server.run_simple = lambda *args, **options: run_threaded(*args, **{**options, "threaded": False})
server.main(sys.argv[1:])
