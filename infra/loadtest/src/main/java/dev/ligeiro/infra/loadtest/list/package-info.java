/**
 * The command {@code lists}: asks for lists of merchants with many past transactions, by pages and beside creates. Called by the command
 * line; requests go to the gateway, and transactions are read from MongoDB without the gateway, to compare.
 */
@NullMarked
package dev.ligeiro.infra.loadtest.list;

import org.jspecify.annotations.NullMarked;
