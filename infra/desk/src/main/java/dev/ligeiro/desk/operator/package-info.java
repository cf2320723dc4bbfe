/** Who an operator is: tokens, roles, sign-in. */
@NullMarked
package dev.ligeiro.desk.operator;

import org.jspecify.annotations.NullMarked;
