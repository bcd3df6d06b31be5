def prime(*a): raise NotImplementedError
compile_all = prime
