// ViennaCL: vector and matrix operations, and a conjugate gradient on a sparse matrix.
#define CL_TARGET_OPENCL_VERSION 120
#define VIENNACL_WITH_OPENCL
#include <cstdio>
#include <map>
#include <vector>
#include <viennacl/compressed_matrix.hpp>
#include <viennacl/linalg/cg.hpp>
#include <viennacl/linalg/inner_prod.hpp>
#include <viennacl/linalg/prod.hpp>
#include <viennacl/matrix.hpp>
#include <viennacl/vector.hpp>

int main() {
  const unsigned n = 2000, side = 128;
  std::vector<std::map<unsigned, float>> rows(n);
  for (unsigned i = 0; i < n; ++i) {
    rows[i][i] = 4.0f;
    if (i > 0)
      rows[i][i - 1] = -1.0f;
    if (i + 1 < n)
      rows[i][i + 1] = -1.0f;
  }
  viennacl::compressed_matrix<float> sparse(n, n);
  viennacl::copy(rows, sparse);
  viennacl::vector<float> right = viennacl::scalar_vector<float>(n, 1.0f);
  viennacl::vector<float> x =
      viennacl::linalg::solve(sparse, right, viennacl::linalg::cg_tag(1e-5, 50));
  std::printf("solution %.4f, ", float(viennacl::linalg::inner_prod(x, right)));
  viennacl::vector<float> y = 2.0f * x + right;
  std::printf("norm %.4f, ", float(viennacl::linalg::norm_2(y)));
  viennacl::matrix<float> a = viennacl::scalar_matrix<float>(side, side, 0.5f);
  viennacl::matrix<float> b = viennacl::linalg::prod(a, a);
  viennacl::vector<float> ones = viennacl::scalar_vector<float>(side, 1.0f);
  viennacl::vector<float> sums = viennacl::linalg::prod(b, ones);
  std::printf("product %.2f\n", float(viennacl::linalg::inner_prod(sums, ones)));
}
