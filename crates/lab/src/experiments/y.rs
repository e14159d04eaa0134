//stub
