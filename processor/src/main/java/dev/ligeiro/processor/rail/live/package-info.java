/** The bank accounts in the settings, each as a rail, and their pools of payload locations. */
@NullMarked
package dev.ligeiro.processor.rail.live;

import org.jspecify.annotations.NullMarked;
