/** API keys of merchants, what was done with them, and the pages of merchants, which show them. */
@NullMarked
package dev.ligeiro.desk.key;

import org.jspecify.annotations.NullMarked;
