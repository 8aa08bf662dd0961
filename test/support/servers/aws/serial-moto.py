"""moto's server, answering one call after the other: its S3 checks for an object and stores it in two steps, between which
another thread could store an object under the same key."""

import sys

from moto import server

run_threaded = server.run_simple
server.run_simple = lambda *args, **options: run_threaded(*args, **{**options, "threaded": False})
server.main(sys.argv[1:])
