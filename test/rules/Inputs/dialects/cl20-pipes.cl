kernel void pass(read_only pipe int in, write_only pipe int out, global int *seen) {
  int packet;
  if (read_pipe(in, &packet) == 0) {
    seen[get_global_id(0)] = packet;
    write_pipe(out, &packet);
  }
}
