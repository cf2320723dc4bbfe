package dev.ligeiro.gateway.api.list;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Reads CSV with Python's {@code csv}, a reader that has nothing in common with the gateway's writer. */
final class CsvReader {

    private static final String PROGRAM =
            """
            import csv, io, json, sys
            text = io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8", newline="")
            json.dump(list(csv.DictReader(text, strict=True)), sys.stdout)
            """;

    private CsvReader() {}

    /** The rows by the names of their columns. */
    static List<Map<String, String>> read(byte[] csv) {
        try {
            Process python = new ProcessBuilder("python3", "-c", PROGRAM)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            try (var in = python.getOutputStream()) {
                in.write(csv);
            }
            String json = new String(python.getInputStream().readAllBytes(), UTF_8);
            assertThat(python.waitFor()).isZero();
            return new JsonMapper().readValue(json, new TypeReference<ArrayList<Map<String, String>>>() {});
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
