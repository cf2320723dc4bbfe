@NullMarked
package dev.ligeiro.dispatcher.schedule;

import org.jspecify.annotations.NullMarked;
