package io.berth.serving.page;

import io.berth.serving.http.Call;
import io.berth.serving.http.Endpoint;
import io.berth.serving.http.Reply;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.zip.GZIPOutputStream;

/// A page of metrics; `DELETE` resets them, any other method reads them.
final class MetricsPage implements Endpoint {
    private static final String TEXT =
            "text/plain; version=0.0.4; charset=utf-8; escaping=underscores";
    private static final String STARTED =
            Long.toString(ManagementFactory.getRuntimeMXBean().getStartTime() / 1000);

    private final Scrape scrape;

    MetricsPage(Scrape scrape) {
        this.scrape = scrape;
    }

    /// The same page, empty until `leading` says yes.
    Endpoint onlyWhen(BooleanSupplier leading) {
        return call -> leading.getAsBoolean() ? answer(call) : Reply.empty();
    }

    @Override
    public Reply answer(Call call) {
        if (call.method().equals("DELETE")) {
            scrape.reset();
            return Reply.text(200, "metrics reset\n");
        }
        Reply reply = Reply.of(200, TEXT, scrape.text()).with("Process-Start-Time-Unix", STARTED);
        return takesGzip(call)
                ? reply.withBody(gzip(reply.body())).with("Content-Encoding", "gzip")
                : reply;
    }

    private static boolean takesGzip(Call call) {
        return call.headerValues("Accept-Encoding").stream()
                .flatMap(value -> Arrays.stream(value.toLowerCase(Locale.ROOT).split(",", -1)))
                .map(coding -> coding.replace(" ", ""))
                .anyMatch(coding -> coding.matches("gzip(;q=(1|1\\.0*|0\\.0*[1-9][0-9]*))?"));
    }

    private static byte[] gzip(byte[] plain) {
        var out = new ByteArrayOutputStream(plain.length / 4 + 64);
        try (var zipped = new GZIPOutputStream(out)) {
            zipped.write(plain);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return out.toByteArray();
    }
}
