package dev.ligeiro.gateway.page.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.WithGateway;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tools of others read {@code /openapi.json}: schemathesis, which sends requests that the description permits and others, and a generator
 * of clients. No dispatcher runs, so no webhook is sent to the URLs that schemathesis registers.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(900) // pip downloads the tools
@Tag("nightly")
class DescriptionToolsIT extends WithGateway {

    private static final Path FILES = Path.of("src/test/resources/docs").toAbsolutePath();
    private static final String PLATFORM = "7f1c1f0e-0f6d-4a52-9a0e-2f1d2c3b4a59";
    private static final int SEARCH_SECONDS_MAX = 15;
    private static final Duration MAX = Duration.ofMinutes(10);

    private final Path folder;

    DescriptionToolsIT(@TempDir Path folder) throws IOException {
        this.folder = folder;
        // the examples have a platform of the merchant, so that they create transactions
        String description = gateway.api().get("/openapi.json").expect(200).body();
        Files.writeString(folder.resolve("openapi.json"), description.replace(PLATFORM, merchant.platform()));
        python("-m pip install --quiet --no-deps --disable-pip-version-check --only-binary :all: --target libraries"
                + " --requirement " + FILES.resolve("requirements.txt"));
    }

    @Test
    void schemathesisFindsNoServerErrorAndNoAnswerOutsideTheDescription() {
        python(
                "-m schemathesis.cli run openapi.json --phases=examples,coverage,fuzzing --mode=all --max-examples=10"
                        + " --seed=1 --no-color --max-time=" + SEARCH_SECONDS_MAX + " --url=" + gateway.url()
                        + " --checks=not_a_server_error,status_code_conformance,content_type_conformance,"
                        + "response_headers_conformance,response_schema_conformance",
                "--header=Authorization: Bearer " + merchant.key());
    }

    @Test
    void aGeneratedClientCreatesShowsAndLists() throws IOException {
        python("-m openapi_python_client generate --path=openapi.json --meta=none --output-path=ligeiro_client"
                + " --config=" + FILES.resolve("client.yaml"));

        // Python finds the client beside the program
        Files.copy(FILES.resolve("client.py"), folder.resolve("client.py"));
        String used = python("client.py " + gateway.url() + " " + merchant.key() + " " + merchant.platform());

        assertThat(used).isEqualTo("created, shown, listed, and new values read\n");
    }

    /**
     * Runs Python, which must succeed, and gives what it has printed.
     *
     * @param command separated by spaces
     */
    private String python(String command, String... furtherArguments) {
        List<String> all = new ArrayList<>(List.of("python3"));
        all.addAll(List.of(command.split(" ")));
        all.addAll(List.of(furtherArguments));
        try {
            Path text = folder.resolve("python.out");
            ProcessBuilder builder = new ProcessBuilder(all)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(text.toFile());
            builder.environment().put("PYTHONPATH", folder.resolve("libraries").toString());
            Process process = builder.start();
            boolean ended = process.waitFor(MAX.toMillis(), TimeUnit.MILLISECONDS);
            process.destroyForcibly().waitFor();
            String printed = Files.readString(text);
            assertThat(ended && process.exitValue() == 0).as(printed).isTrue();
            return printed;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(stopped);
        }
    }
}
