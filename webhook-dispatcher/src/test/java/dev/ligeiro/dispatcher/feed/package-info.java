@NullMarked
package dev.ligeiro.dispatcher.feed;

import org.jspecify.annotations.NullMarked;
