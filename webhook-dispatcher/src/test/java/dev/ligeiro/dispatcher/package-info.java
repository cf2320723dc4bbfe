@NullMarked
package dev.ligeiro.dispatcher;

import org.jspecify.annotations.NullMarked;
