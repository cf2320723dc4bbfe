package dev.ligeiro.dispatcher.http;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.hc.core5.function.Decorator;
import org.apache.hc.core5.reactor.IOSession;
import org.jspecify.annotations.Nullable;

/**
 * Reads responses for HttpCore: it gets a {@link ResponseHead}, then the body. A head above its limit is cut, so that its status line counts, and
 * the connection is closed. A body above its limit closes the connection too.
 */
final class ResponseReader implements Decorator<IOSession> {

    private static final byte[] REQUEST = "POST ".getBytes(StandardCharsets.US_ASCII);

    private final long bytesMax;

    /** @param bytesMax the limit of the heads, and of the body with what divides it into chunks */
    ResponseReader(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** The same session, of plain text or inside TLS, as HttpCore reads it. */
    @Override
    public IOSession decorate(IOSession session) {
        return (IOSession) Proxy.newProxyInstance(
                IOSession.class.getClassLoader(), new Class<?>[] {IOSession.class}, new Reads(session));
    }

    /** HttpCore has no base class for a session that differs in two of its 27 methods. The session's thread makes all reads and writes. */
    private final class Reads implements InvocationHandler {

        private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

        private final IOSession session;
        private final ResponseHead head = new ResponseHead();
        /** What HttpCore has not read yet of the reduced head and the bytes that came with its end. */
        private ByteBuffer unread = NOTHING;

        private long received;
        private boolean closing;

        private Reads(IOSession session) {
            this.session = session;
        }

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
            if (arguments != null && arguments.length == 1 && arguments[0] instanceof ByteBuffer buffer) {
                if (method.getName().equals("read")) {
                    return read(buffer);
                }
                if (method.getName().equals("write") && head.isComplete() && beginsRequest(buffer)) {
                    head.begin();
                    received = 0;
                }
            }
            try {
                return method.invoke(session, arguments);
            } catch (InvocationTargetException failed) {
                throw failed.getTargetException();
            }
        }

        /** A receiver may respond before it has read the whole request. */
        private static boolean beginsRequest(ByteBuffer buffer) {
            return buffer.remaining() >= REQUEST.length
                    && buffer.slice().limit(REQUEST.length).equals(ByteBuffer.wrap(REQUEST));
        }

        private int read(ByteBuffer target) throws IOException {
            if (!target.hasRemaining()) {
                return 0;
            }
            while (!unread.hasRemaining()) {
                if (closing) {
                    throw tooLong();
                }
                int start = target.position();
                int bytes = session.read(target);
                if (bytes <= 0) {
                    return bytes;
                }
                received += bytes;
                if (head.isComplete()) {
                    if (received > bytesMax) {
                        throw tooLong();
                    }
                    return bytes;
                }
                target.position(start);
                takeHead(target.slice().limit(bytes));
            }
            return move(target);
        }

        private void takeHead(ByteBuffer bytes) throws IOException {
            head.take(bytes);
            if (!head.isComplete() && received > bytesMax) {
                closing = head.cut();
                if (!closing) {
                    throw tooLong();
                }
            }
            if (head.isComplete()) {
                received = bytes.remaining();
                ByteBuffer reduced = head.reduced();
                unread = ByteBuffer.allocate(reduced.remaining() + bytes.remaining())
                        .put(reduced)
                        .put(bytes)
                        .flip();
            }
        }

        private IOException tooLong() {
            return new IOException("response: more than " + bytesMax + " bytes");
        }

        private int move(ByteBuffer target) {
            int bytes = Math.min(target.remaining(), unread.remaining());
            target.put(unread.slice().limit(bytes));
            unread.position(unread.position() + bytes);
            return bytes;
        }
    }
}
