#ifndef PLACEHOLDERS_H
#define PLACEHOLDERS_H
#ifndef GROUP_OF_HOST
#define GROUP_OF_HOST 1
#endif
#if !defined(ROW_OF_HOST)
#define ROW_OF_HOST 1
#endif
#define GIVEN_GROUP 1
#endif
