typedef uint word_t;
