/**
 * The command {@code lists}: asks for lists of merchants with many past transactions, by pages, beside changes, and from page to page. Called
 * by the command line, and by {@code abuse} for its readers; requests go to the gateway, and transactions are read from MongoDB without the
 * gateway, to compare.
 */
@NullMarked
package dev.ligeiro.infra.loadtest.list;

import org.jspecify.annotations.NullMarked;
