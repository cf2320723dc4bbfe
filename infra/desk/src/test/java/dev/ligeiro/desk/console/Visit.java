package dev.ligeiro.desk.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A browser without a screen: it keeps cookies, follows redirects, and sends forms with the token of the page that it has seen last. */
final class Visit {

    private static final Pattern CSRF = Pattern.compile("name=\"_csrf\" value=\"([^\"]+)\"");

    private final String url;
    private final HttpClient client = HttpClient.newBuilder()
            .cookieHandler(new CookieManager())
            .followRedirects(HttpClient.Redirect.NORMAL)
            .build();
    private String csrf = "";

    Visit(String url) {
        this.url = url;
    }

    record Page(int status, String path, String html, HttpResponse<String> response) {

        Page expect(int expected) {
            if (status != expected) {
                throw new AssertionError(path + ": " + status + " (expected: " + expected + ")\n" + html);
            }
            return this;
        }
    }

    Page get(String path) {
        return send(request(path));
    }

    /** As a page that asks for a part of itself again. */
    Page refresh(String path) {
        return send(request(path).header("HX-Request", "true"));
    }

    Page post(String path, Map<String, String> fields) {
        return postWithToken(path, csrf, fields);
    }

    Page postWithToken(String path, String token, Map<String, String> fields) {
        String form = encoded(fields) + (fields.isEmpty() ? "" : "&") + "_csrf=" + URLEncoder.encode(token, UTF_8);
        return send(request(path)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(form)));
    }

    private static String encoded(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), UTF_8))
                .collect(Collectors.joining("&"));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(url + path))
                .header("Accept-Language", "en")
                .header("Accept", "text/html");
    }

    private Page send(HttpRequest.Builder request) {
        try {
            HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
            Matcher token = CSRF.matcher(response.body());
            if (token.find()) {
                csrf = token.group(1);
            }
            URI at = response.uri();
            String path = at.getRawQuery() == null ? at.getRawPath() : at.getRawPath() + "?" + at.getRawQuery();
            return new Page(response.statusCode(), path, response.body(), response);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}
