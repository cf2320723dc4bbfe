/** Finds transactions, and what else an id or a name stands for, over all merchants; shows a transaction. */
@NullMarked
package dev.ligeiro.desk.search;

import org.jspecify.annotations.NullMarked;
