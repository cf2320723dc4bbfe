package dev.ligeiro.gateway.page.console;

import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A browser without a screen that has entered the console, or not yet. */
record SignedIn(Api api, @Nullable String cookie) {

    private static final Pattern ONCE = Pattern.compile("name=\"once\" value=\"([^\"]+)\"");

    /** Enters with a new session of the merchant's key. */
    static SignedIn as(TestMerchant merchant) {
        return new SignedIn(merchant.gateway().api(), null).enter(link(merchant));
    }

    /** A new link, as its path. */
    static String link(TestMerchant merchant) {
        String url = merchant.api()
                .post("/api/v1/console-sessions", "{\"language\":\"en\"}")
                .expect(201)
                .text("url");
        return url.substring(url.indexOf("/console/"));
    }

    SignedIn enter(String link) {
        Answer entered = post(link, Map.of()).expect(303);
        return new SignedIn(api, entered.header("Set-Cookie").replaceFirst(";.*", ""));
    }

    Answer get(String path) {
        return Api.send(request(path).header("Accept", "text/html").header("Accept-Language", "en"));
    }

    Answer post(String path, Map<String, String> fields) {
        return post(path, fields, api.baseUrl());
    }

    /** @param origin null for a request without one */
    Answer post(String path, Map<String, String> fields, @Nullable String origin) {
        String form = fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        HttpRequest.Builder request = request(path)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .header("Accept-Language", "en")
                .POST(BodyPublishers.ofString(form));
        if (origin != null) {
            request.header("Origin", origin);
        }
        return Api.send(request);
    }

    /** The key that a page gives to its form. */
    String once(String path) {
        Matcher found = ONCE.matcher(get(path).expect(200).body());
        if (!found.find()) {
            throw new AssertionError(path + " has no form");
        }
        return found.group(1);
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = api.request(path);
        return cookie == null ? request : request.header("Cookie", cookie);
    }
}
