#define SuiteOther_EXPORT SUITE_ABI_EXPORT
namespace suite {
class SuiteOther_EXPORT Counter
{
public:
  void count(cl_command_queue queue);
};
bool SuiteOther_EXPORT
operator==(const Counter &a, const Counter &b);
}
