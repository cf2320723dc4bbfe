/** Transactions, as operators find and see them. */
@NullMarked
package dev.ligeiro.desk.transaction;

import org.jspecify.annotations.NullMarked;
