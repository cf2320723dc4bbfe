/**
 * Past transactions of merchants who have many, and how they are stored. The command {@code lists} calls in.
 */
@NullMarked
package dev.ligeiro.infra.loadtest.list.fill;

import org.jspecify.annotations.NullMarked;
