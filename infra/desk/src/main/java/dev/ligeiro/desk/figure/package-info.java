/** What was paid day by day, of all merchants or of one, as the books have it. */
@NullMarked
package dev.ligeiro.desk.figure;

import org.jspecify.annotations.NullMarked;
