/**
 * Fills merchants with past transactions, and asks for lists of them. The command {@code lists} calls in; requests go to the gateway, and
 * transactions are read from MongoDB without the gateway, to compare.
 */
@NullMarked
package dev.ligeiro.infra.loadtest.list;

import org.jspecify.annotations.NullMarked;
