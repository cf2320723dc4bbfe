package dev.ligeiro.infra.loadtest.generate;

import dev.ligeiro.infra.loadtest.http.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * A request as bytes, with places of fixed width that are written over for each call. A place is marked in the text by a letter
 * between pipes as often as it is wide: {@code |RRRR|} is the place R of 4 bytes, pipes left out.
 */
final class Template {

    private final byte[] bytes;
    private final Map<Character, Integer> places = new TreeMap<>();

    private Template(byte[] marked) {
        byte[] plain = new byte[marked.length];
        int length = 0;
        boolean inPlace = false;
        for (int i = 0; i < marked.length; i++) {
            if (marked[i] != '|') {
                plain[length++] = inPlace ? (byte) '0' : marked[i];
                continue;
            }
            inPlace = !inPlace;
            if (inPlace) {
                places.put((char) marked[i + 1], length);
            }
        }
        this.bytes = Arrays.copyOf(plain, length);
    }

    static Template of(String marked) {
        return new Template(marked.getBytes(StandardCharsets.UTF_8));
    }

    /** A POST of JSON, with its {@code Content-Length}. */
    static Template post(String path, String headers, String markedJson) {
        int length = of(markedJson).bytes.length;
        return of("POST %s HTTP/1.1\r\n%sContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                .formatted(path, headers, length, markedJson));
    }

    static Template get(String markedPath, String headers) {
        return of("GET %s HTTP/1.1\r\n%s\r\n".formatted(markedPath, headers));
    }

    /** Where a place starts. */
    int place(char letter) {
        Integer at = places.get(letter);
        if (at == null) {
            throw new IllegalArgumentException(letter + ": no such place");
        }
        return at;
    }

    void write(int at, byte[] value) {
        System.arraycopy(value, 0, bytes, at, value.length);
    }

    void writeDigits(int at, int digits, long number) {
        Bytes.writeDigits(bytes, at, digits, number);
    }

    void writeHex(int at, long value) {
        Bytes.writeHex(bytes, at, value);
    }

    void writeUuid(int at, long high, long low) {
        Bytes.writeUuid(bytes, at, high, low);
    }

    /** The request as it stands now; good until the next write. */
    byte[] bytes() {
        return bytes;
    }
}
