inline uint FUNC(get_index)(uint b, uint f, uint y, uint x, uint x_size)
{
  return (b * 16 + f) * x_size + y * 4 + x;
}
