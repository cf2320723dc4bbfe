package dev.ligeiro.gateway.api.list;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.TestMerchant;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A client that reads an export as slowly as a test wants. */
final class ExportReader implements AutoCloseable {

    private static final int RECEIVE_BUFFER_BYTES = 16 * 1024;
    private static final int READ_MILLIS_MAX = 10_000;

    private final Socket socket = new Socket();

    private ExportReader() {}

    /** @param query with its question mark */
    static ExportReader of(TestMerchant merchant, String query) {
        return of(merchant.gateway(), merchant, query);
    }

    /** @param gateway another one with the merchant's database */
    static ExportReader of(RunningGateway gateway, TestMerchant merchant, String query) {
        ExportReader reader = new ExportReader();
        try {
            // before the connection: it decides how much the gateway may send to a client that reads nothing
            reader.socket.setReceiveBufferSize(RECEIVE_BUFFER_BYTES);
            reader.socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.port()));
            reader.socket.setSoTimeout(READ_MILLIS_MAX);
            String head = "GET " + ExportIT.PATH + query + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                    + merchant.key() + "\r\n\r\n";
            reader.socket.getOutputStream().write(head.getBytes(UTF_8));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return reader;
    }

    /** The lines up to the first empty one. */
    String readHead() throws IOException {
        String head = readLine();
        String line = head;
        while (!line.isEmpty()) {
            line = readLine();
            head += "\n" + line;
        }
        return head;
    }

    byte[] read(int bytes) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        while (body.size() < bytes && readChunk(body)) {
            // the next one
        }
        return body.toByteArray();
    }

    /** What comes until the end of the body. Fails if it is cut. */
    byte[] readRest() throws IOException {
        return read(Integer.MAX_VALUE);
    }

    /** Reads one chunk of the transfer encoding; false for the last one. */
    private boolean readChunk(ByteArrayOutputStream body) throws IOException {
        int size = Integer.parseInt(readLine(), 16);
        byte[] chunk = socket.getInputStream().readNBytes(size);
        body.writeBytes(chunk);
        if (chunk.length < size || !readLine().isEmpty()) {
            throw new EOFException("The body is cut");
        }
        return size > 0;
    }

    private String readLine() throws IOException {
        StringBuilder line = new StringBuilder();
        while (line.indexOf("\r\n") < 0) {
            int next = socket.getInputStream().read();
            if (next < 0) {
                throw new EOFException("The body is cut");
            }
            line.append((char) next);
        }
        return line.substring(0, line.length() - 2);
    }

    static byte[] joined(byte[] first, byte[] second) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(first);
        all.writeBytes(second);
        return all.toByteArray();
    }

    /** With a reset, because there are bytes that have not been read. */
    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
