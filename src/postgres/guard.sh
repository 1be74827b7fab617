# Keeps one throwaway Postgres for as long as its owner lives, then stops it and deletes its folder.
#
# Standard input is a pipe whose other end only the owner holds: however the owner ends (return,
# panic, abort, Ctrl-C, SIGKILL, also in the middle of initdb), the kernel closes the pipe, and end
# of file is the order to clean up. Needs no signal handler in the owner. What it cannot survive is
# a SIGKILL of this shell itself; and an owner that is killed in the millisecond before it has
# started this shell leaves a folder with three small files.
#
# Arguments: the folder, the directory of the binaries, the method of initdb, the files of the Unix
# socket, then the server's arguments.
folder=$1 bin=$2 method=$3 socket=$4
shift 4

clean() {
    rm -rf "$folder" "$socket" "$socket.lock"
    exit 0
}

# Stops the youngest background job, which `$!` names from the very moment of its birth. A job
# starts with SIGQUIT ignored, and both initdb and Postgres take it back only a little later, so
# the signal is repeated until `wait` has collected the job.
stop() {
    trap '' HUP INT TERM
    job=$!
    (while kill -QUIT "$job" 2>/dev/null; do sleep 0.1; done) &
    wait "$job"
    clean
}

trap stop HUP INT TERM
exec 3<&0 </dev/null
(cat <&3 >/dev/null; kill -TERM $$) &
watcher=$!
exec 3<&-

"$bin/initdb" --pgdata="$folder/data" --username=postgres --pwfile="$folder/password" --auth="$method" \
    --encoding=UTF8 --locale=C --no-sync --no-instructions >"$folder/initdb.log" 2>&1 &
wait $!
status=$?
if [ "$status" -eq 0 ]; then
    "$bin/postgres" -D "$folder/data" "$@" >"$folder/server.log" 2>&1 &
    wait $!
    status=$?
fi

# The logs stay until the owner has read why there is no server.
trap clean HUP INT TERM
echo "$status" >"$folder/exited"
wait "$watcher"
clean
