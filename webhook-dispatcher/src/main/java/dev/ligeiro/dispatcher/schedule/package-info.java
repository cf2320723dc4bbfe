/** The retry schedule of deliveries. Pure; called by {@code attempt}. */
@NullMarked
package dev.ligeiro.dispatcher.schedule;

import org.jspecify.annotations.NullMarked;
