/** How long data is kept and how much there is: sizes, the retention of personal data, and erasures of persons. */
@NullMarked
package dev.ligeiro.desk.stored;

import org.jspecify.annotations.NullMarked;
