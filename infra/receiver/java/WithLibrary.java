import com.standardwebhooks.Webhook;
import com.sun.net.httpserver.Headers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The same receiver with the official library: com.standardwebhooks:standardwebhooks of Maven Central. */
public final class WithLibrary {

    private WithLibrary() {}

    public static void main(String[] arguments) throws Exception {
        new Receiver(System.getenv("WEBHOOK_SECRET"), WithLibrary::verify).receive(Integer.parseInt(arguments[0]));
    }

    static void verify(String secret, Headers headers, byte[] body) throws Exception {
        // The library expects lower-case names.
        Map<String, List<String>> lowerCase = headers.entrySet().stream()
                .collect(Collectors.toMap(header -> header.getKey().toLowerCase(Locale.ROOT), Map.Entry::getValue));
        new Webhook(secret).verify(new String(body, StandardCharsets.UTF_8), lowerCase);
    }
}
