/**
 * What a run costs and on what: CPU, memory, garbage, consumer lag, the disk, the machine.
 */
@NullMarked
package dev.ligeiro.infra.loadtest.observe;

import org.jspecify.annotations.NullMarked;
