/** How long data is kept and how much there is: sizes, the retention of personal data, erasures of persons, and the
 * archive. */
@NullMarked
package dev.ligeiro.desk.stored;

import org.jspecify.annotations.NullMarked;
