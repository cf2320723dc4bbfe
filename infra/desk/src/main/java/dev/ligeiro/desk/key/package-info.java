/** API keys of merchants, and what was done with them. */
@NullMarked
package dev.ligeiro.desk.key;

import org.jspecify.annotations.NullMarked;
