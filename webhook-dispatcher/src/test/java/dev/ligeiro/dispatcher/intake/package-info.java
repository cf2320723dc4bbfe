@NullMarked
package dev.ligeiro.dispatcher.intake;

import org.jspecify.annotations.NullMarked;
