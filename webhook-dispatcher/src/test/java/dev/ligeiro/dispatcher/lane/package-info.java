@NullMarked
package dev.ligeiro.dispatcher.lane;

import org.jspecify.annotations.NullMarked;
