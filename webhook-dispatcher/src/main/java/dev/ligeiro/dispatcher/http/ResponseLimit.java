package dev.ligeiro.dispatcher.http;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.apache.hc.core5.function.Decorator;
import org.apache.hc.core5.reactor.IOSession;
import org.jspecify.annotations.Nullable;

/**
 * Limits the bytes of a response: 1xx responses, head and body together. HttpCore limits the length of a line
 * and the number of lines of a head, and keeps them, at two bytes a character, until the head is complete. With these limits alone, heads
 * of 1.6 MB from the receivers of one tenant could use up the memory of the process.
 */
final class ResponseLimit implements Decorator<IOSession> {

    private final long bytesMax;

    ResponseLimit(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** The same session; a read of more bytes than allowed since the last write, which sends a request, is an {@link IOException}. */
    @Override
    public IOSession decorate(IOSession session) {
        return (IOSession) Proxy.newProxyInstance(
                IOSession.class.getClassLoader(), new Class<?>[] {IOSession.class}, new CountingReads(session));
    }

    /** HttpCore has no base class for a session that differs in two of its 27 methods. The session's thread makes all reads and writes. */
    private final class CountingReads implements InvocationHandler {

        private final IOSession session;
        private long received;

        private CountingReads(IOSession session) {
            this.session = session;
        }

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
            Object result;
            try {
                result = method.invoke(session, arguments);
            } catch (InvocationTargetException failed) {
                throw failed.getTargetException();
            }
            if (method.getName().equals("write")) {
                received = 0;
            } else if (method.getName().equals("read") && result instanceof Integer bytes) {
                count(bytes);
            }
            return result;
        }

        /** @param bytes -1 at the end of the stream */
        private void count(int bytes) throws IOException {
            received += Math.max(0, bytes);
            if (received > bytesMax) {
                throw new IOException("response: more than " + bytesMax + " bytes");
            }
        }
    }
}
