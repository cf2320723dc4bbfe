package dev.ligeiro.dispatcher.http;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import org.apache.hc.core5.function.Decorator;
import org.apache.hc.core5.http.EndpointDetails;
import org.apache.hc.core5.http.HttpConnection;
import org.apache.hc.core5.http.impl.nio.HttpConnectionEventHandler;
import org.apache.hc.core5.reactor.IOEventHandler;
import org.apache.hc.core5.reactor.IOSession;
import org.apache.hc.core5.reactor.ssl.SSLIOSession;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * Reads responses for HttpCore: it gets a {@link ResponseHead}, then the body. A head above its limit is cut, so that its status line
 * counts, and the connection is closed. A body above its limit closes the connection too.
 *
 * <p>HttpCore reads a session of plain text, but is handed what TLS has decrypted: its handler is given that as {@code read} would give it.
 */
final class ResponseReader implements Decorator<IOSession> {

    private final long bytesMax;

    /** @param bytesMax the limit of the heads, and of the body with what divides it into chunks */
    ResponseReader(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** The same session. TLS lies over the session of its connection, which has the handler. */
    @Override
    public IOSession decorate(IOSession session) {
        return session instanceof SSLIOSession
                ? session
                : (IOSession) Proxy.newProxyInstance(
                        IOSession.class.getClassLoader(), new Class<?>[] {IOSession.class}, new Reads(session));
    }

    /** HttpCore has no base class for a session that differs in two of its 27 methods. The session's thread makes all reads. */
    private final class Reads implements InvocationHandler {

        private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

        private final IOSession session;
        private final ResponseHead head = new ResponseHead();
        /** What HttpCore has not read yet of the reduced head and the bytes that came with its end. */
        private ByteBuffer unread = NOTHING;

        /** The connection of the session; null until it has one. */
        private @Nullable HttpConnection connection;

        private long requests;
        private long received;
        private boolean closing;

        private Reads(IOSession session) {
            this.session = session;
        }

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
            if (arguments != null && arguments.length == 1) {
                if (method.getName().equals("read") && arguments[0] instanceof ByteBuffer buffer) {
                    return read(buffer);
                }
                if (method.getName().equals("upgrade") && arguments[0] instanceof HttpConnectionEventHandler handler) {
                    connection = handler;
                    session.upgrade(new Decrypted(handler));
                    return null;
                }
            }
            try {
                return method.invoke(session, arguments);
            } catch (InvocationTargetException failed) {
                throw failed.getTargetException();
            }
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
                if (isOfBody(bytes)) {
                    return bytes;
                }
                target.position(start);
                takeHead(target.slice().limit(bytes));
            }
            return move(target);
        }

        /** What HttpCore gets of decrypted bytes; null for nothing yet. */
        private @Nullable ByteBuffer reduced(ByteBuffer decrypted) throws IOException {
            if (isOfBody(decrypted.remaining())) {
                return decrypted;
            }
            takeHead(decrypted);
            ByteBuffer reduced = unread;
            unread = NOTHING;
            return reduced.hasRemaining() ? reduced : null;
        }

        /** Counts received bytes. A receiver may respond before it has read the whole request, but not before the next one begins. */
        private boolean isOfBody(int bytes) throws IOException {
            long begun = begun();
            if (begun != requests && head.isComplete()) {
                head.begin();
                received = 0;
            }
            requests = begun;
            received += bytes;
            if (head.isComplete() && received > bytesMax) {
                throw tooLong();
            }
            return head.isComplete();
        }

        /**
         * The number of requests that were begun. HttpCore 5.4 adds the final head of a response to the requests instead of the responses,
         * so the sum of both is odd from the beginning of a request to the head of its response, and even during its body.
         */
        private long begun() {
            if (connection == null) {
                return 0;
            }
            EndpointDetails counts = connection.getEndpointDetails();
            return (counts.getRequestCount() + counts.getResponseCount() + 1) / 2;
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

        /** The connection's handler. */
        private final class Decrypted implements IOEventHandler {

            private final IOEventHandler handler;

            private Decrypted(IOEventHandler handler) {
                this.handler = handler;
            }

            /** @param decrypted null for plain text, which the handler reads itself, and at the end of the stream */
            @Override
            public void inputReady(IOSession protocol, @Nullable ByteBuffer decrypted) throws IOException {
                handler.inputReady(protocol, decrypted == null ? null : reduced(decrypted));
                if (decrypted != null && closing) {
                    throw tooLong();
                }
            }

            @Override
            public void connected(IOSession protocol) throws IOException {
                handler.connected(protocol);
            }

            @Override
            public void outputReady(IOSession protocol) throws IOException {
                handler.outputReady(protocol);
            }

            @Override
            public void timeout(IOSession protocol, Timeout timeout) throws IOException {
                handler.timeout(protocol, timeout);
            }

            @Override
            public void exception(IOSession protocol, Exception cause) {
                handler.exception(protocol, cause);
            }

            @Override
            public void disconnected(IOSession protocol) {
                handler.disconnected(protocol);
            }
        }
    }
}
