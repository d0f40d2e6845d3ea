/// Configuration text, in and out: YAML and JSON as kube-scheduler reads and writes them.
@NullMarked
package io.berth.config.text;

import org.jspecify.annotations.NullMarked;
