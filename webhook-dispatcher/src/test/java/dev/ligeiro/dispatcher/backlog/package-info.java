@NullMarked
package dev.ligeiro.dispatcher.backlog;

import org.jspecify.annotations.NullMarked;
